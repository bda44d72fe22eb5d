"""Hyper-parameters of a model whose ``fit`` has another signature than scikit-learn's; used by later chapters too."""

from __future__ import annotations

import inspect
from typing import Any


class Parameters:
    """``get_params`` and ``set_params`` of scikit-learn, so that ``clone`` works; nothing else of ``BaseEstimator``."""

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Hyper-parameters by name; ``deep`` is there for scikit-learn and changes nothing."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Any:
        """Set hyper-parameters by name and return the model; ValueError for an unknown name."""
        for name, value in params.items():
            if name not in self._names():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(self._names())}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_params().items())})"
