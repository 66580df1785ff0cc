"""The figures of a report, in the form of the papers: each a drawing with a name, a caption and an alternative text."""
