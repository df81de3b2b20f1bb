# The stack of the energy, as that of the cycles.
stack_title = 'where the energy goes'
stack_label = 'energy ['.causes_label.']'
load 'stack.gp'
