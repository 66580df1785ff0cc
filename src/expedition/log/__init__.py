"""Logs of missions: recording them as MCAP files with ROS 2 messages, and reading any moment of them."""
