"""The parts of the section on data as published: accuracies on many test sets, tables, the lead of Tree-SMU, the figure."""
