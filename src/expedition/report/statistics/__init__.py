"""What the results of a design say, by methods that a reviewer accepts. Each takes one row a finished mission."""

from expedition.report.statistics.analysis import Analysis, analyse, comparisons_table
from expedition.report.statistics.best_size import BestSize
from expedition.report.statistics.comparison import Comparison
from expedition.report.statistics.factors import Factors, case_names, factors_of, short_name, values_of, with_case
from expedition.report.statistics.intervals import Interval
from expedition.report.statistics.success import SuccessComparison
from expedition.report.statistics.trends import Trend

__all__ = [
    "Analysis",
    "BestSize",
    "Comparison",
    "Factors",
    "Interval",
    "SuccessComparison",
    "Trend",
    "analyse",
    "case_names",
    "comparisons_table",
    "factors_of",
    "short_name",
    "values_of",
    "with_case",
]
