from typing import Final, Self

from typing_extensions import CapsuleType, disjoint_base

from zerosum.equilibrium.tree import GameTree

@disjoint_base
class SequenceForm:
    tree: GameTree
    def __new__(cls, tree: GameTree) -> Self: ...

__pyx_capi__: Final[dict[str, CapsuleType]]
