"""What we write of an Inspect log, as a JSON schema of our own: fields that Inspect needs, and no others.

``make test-export`` holds it against the models of Inspect itself.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
TIME: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$"}
ID: Schema = {"type": "string", "pattern": "^[1-9A-HJ-NP-Za-km-z]{22}$"}
ANY: Schema = {"type": "object"}


def record(required: str, **properties: Schema) -> Schema:
    return {"type": "object", "required": required.split(), "properties": properties, "additionalProperties": False}


def items(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


MESSAGE = record("role content", role={"enum": ["system", "user", "assistant"]}, content=TEXT)
METRIC = record("name value", name=TEXT, value=NUMBER)
CHOICE = record("message stop_reason", message=MESSAGE, stop_reason=TEXT)
SAMPLE = record(
    "id epoch input target messages scores",
    id=TEXT, epoch={"const": 1}, input=TEXT, target=TEXT, messages=items(MESSAGE), metadata=ANY, started_at=TIME,
    completed_at=TIME, total_time=NUMBER, working_time=NUMBER, uuid=ID,
    output=record("model choices", model=TEXT, choices=items(CHOICE)),
    scores={
        "type": "object",
        "required": ["points"],
        "additionalProperties": record("value", value=NUMBER, answer=TEXT, explanation=TEXT),
    },
)  # fmt: skip
SCHEMA = record(
    "version status eval plan results stats samples",
    version={"const": 2},
    status={"const": "success"},
    eval=record(
        "created task dataset model config",
        eval_id=ID, run_id=ID, task_id=ID, created=TIME, task={"type": "string", "pattern": "^ninefold-"},
        task_version=COUNT, task_args=ANY, model=TEXT, packages=ANY, metadata=ANY,
        config=record("epochs", epochs=COUNT),
        dataset=record("name samples", name=TEXT, samples=COUNT, sample_ids=items(TEXT), shuffled={"const": False}),
    ),
    plan=record("steps", name=TEXT, steps=items(record("solver", solver=TEXT, params=ANY)), config=ANY),
    results=record(
        "total_samples completed_samples scores",
        total_samples=COUNT, completed_samples=COUNT,
        scores=items(
            record(
                "name scorer metrics", name=TEXT, scorer=TEXT, scored_samples=COUNT,
                metrics={"type": "object", "additionalProperties": METRIC},
            )
        ),
    ),
    stats=record("", started_at=TIME, completed_at=TIME, model_usage=ANY),
    samples=items(SAMPLE),
)  # fmt: skip
