"""The tables of a plan about models: limits of endpoints, prices, budgets and prompts."""

from __future__ import annotations

from string import Template
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ninefold.core.errors import Unreadable

# What a template may contain, as $name.
PLACEHOLDERS = {
    "system": ("title", "side", "opponent", "asked", "rules", "options", "cells", "layout", "forms", "longest"),
    "turn": ("asked", "side", "board", "state", "legal_moves", "history", "said"),
    "correction": ("why",),
}
Quota = Annotated[int, Field(ge=1, le=10**12)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class PlanTable(BaseModel):
    """A table in the file. Unknown fields are refused, so that a misspelt one does not change the evaluation."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, frozen=True)


class EndpointSpec(PlanTable):
    """The limits of an endpoint, which all matches of a run share."""

    requests_per_minute: Quota | None = None
    tokens_per_minute: Quota | None = None
    in_flight: Quota | None = None


class PriceSpec(PlanTable):
    """The price of a million tokens of a model, in any currency. Cached tokens cost as much as others by default."""

    input: Amount
    output: Amount
    cached: Amount | None = None


class BudgetSpec(PlanTable):
    """What a run may use, and each agent in each match."""

    run_tokens: Quota | None = None
    run_price: Amount | None = None
    match_tokens: Quota | None = None
    match_price: Amount | None = None

    @property
    def has_price(self) -> bool:
        return self.run_price is not None or self.match_price is not None


class PromptSpec(PlanTable):
    """Templates of what a model is sent. Those that are left out are Ninefold's own."""

    system: str | None = None
    turn: str | None = None
    correction: str | None = None

    @field_validator("system", "turn", "correction")
    @classmethod
    def _check_template(cls, given: str | None, info: object) -> str | None:
        names = PLACEHOLDERS[str(getattr(info, "field_name", ""))]
        template = Template(given or "")
        if not template.is_valid():
            raise Unreadable("not_a_plan.dollar", names=_shown(names))
        if unknown := [name for name in template.get_identifiers() if name not in names]:
            raise Unreadable("not_a_plan.placeholder", name=f"${unknown[0]}", names=_shown(names))
        return given


def _shown(names: tuple[str, ...]) -> str:
    return " ".join(f"${name}" for name in names)
