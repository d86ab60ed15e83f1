# Plain minimax over any State: every node is visited.
