from typing_extensions import disjoint_base

from zerosum.equilibrium.tree import GameTree

@disjoint_base
class SequenceForm:
    tree: GameTree
    def __init__(self, tree: GameTree) -> None: ...
