# As heat, with its own word for the colour.
metric_label = "cycles / those of the driver's tree (1.5: or more)"
load "heat.gp"
