plot data
