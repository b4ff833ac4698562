// Formats of other programs, with these programs: Inspect opens an exported .eval file and its own logs
// import, Harbor validates exported ATIF, and exported OTLP is valid by the official schema. Skipped where
// the Python packages are not installed.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linesOf, Project, readJson, type Json } from '../contract/zcl/project.ts'
import { hasPython, runPython } from './python.ts'

/** Opens the exports, runs an evaluation of its own, and prints what it saw. */
const program = `
import base64, json
from google.protobuf import json_format
from harbor.models.trajectories import Trajectory
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import ToolError, tool
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

def opened():
    log = read_eval_log("run.eval")
    samples = [
        [sample.id, sample.epoch, sample.scores["zcl"].value, len(sample.messages),
         sum(len(m.tool_calls or []) for m in sample.messages if m.role == "assistant")]
        for sample in log.samples
    ]
    return {"status": log.status, "task": log.eval.task, "samples": samples,
            "accuracy": log.results.scores[0].metrics["accuracy"].value}

def trajectories():
    found = [Trajectory.model_validate(each) for each in json.load(open("run.atif.json"))]
    calls = [sum(len(step.tool_calls or []) for step in each.steps) for each in found]
    return {"versions": [each.schema_version for each in found], "calls": calls}

def with_bytes(value):
    # OTLP writes ids in hex, the JSON form of protocol buffers in base64.
    if isinstance(value, list):
        return [with_bytes(each) for each in value]
    if not isinstance(value, dict):
        return value
    ids = ("traceId", "spanId", "parentSpanId")
    encode = lambda text: base64.b64encode(bytes.fromhex(text)).decode()
    return {key: encode(each) if key in ids else with_bytes(each) for key, each in value.items()}

def spans():
    text = json.dumps(with_bytes(json.load(open("run.otlp.json"))))
    request = json_format.Parse(text, ExportTraceServiceRequest())
    message = request.SerializeToString()
    open("run.otlp.pb", "wb").write(message)
    open("collector.pb", "wb").write(len(message).to_bytes(4, "big") + message)
    decoded = ExportTraceServiceRequest.FromString(message)
    return [
        [span.name, span.trace_id.hex(), span.span_id.hex(), span.status.code,
         span.end_time_unix_nano - span.start_time_unix_nano]
        for resource in decoded.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]

@tool
def count():
    async def execute(what: str):
        """Counts.

        Args:
            what: The word to count.
        """
        if what == "broken":
            raise ToolError("cannot count " + what)
        return "counted " + what
    return execute

def answer(output):
    output.usage = ModelUsage(input_tokens=80, output_tokens=9, input_tokens_cache_read=16,
                              total_tokens=105, reasoning_tokens=4)
    return output

def evaluated():
    model = "mockllm/model"
    call = lambda what: ModelOutput.for_tool_call(model, "count", {"what": what})
    words = ["one", "two", "broken", "broken"]
    outputs = [answer(call(word)) for word in words]
    outputs.append(answer(ModelOutput.from_content(model, "All counted.")))
    task = Task(name="tally", dataset=[Sample(id="count", input="Count.", target="counted")],
                solver=[use_tools(count()), generate()], scorer=includes())
    [log] = eval(task, model=get_model(model, custom_outputs=outputs), log_dir="logs",
                 display="none", log_format="eval")
    return {"status": log.status, "location": log.location}

print(json.dumps({"opened": opened(), "trajectories": trajectories(), "spans": spans(),
                  "evaluated": evaluated()}))
`

interface Seen {
  opened: Json
  trajectories: Json
  spans: [string, string, string, number, number][]
  evaluated: { status: string; location: string }
}

interface Span {
  name: string
  traceId: string
  spanId: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status?: { code?: number }
}

describe.skipIf(!hasPython)('formats of other programs', () => {
  const project = new Project()
  let seen: Seen
  afterAll(() => project.remove())

  beforeAll(async () => {
    const first = await project.complete()
    const again = await project.start(['--run-id', first.runId])
    await project.run(again, ['echo', 'three'])
    await project.zcl(['feedback', '--fail', '--result', 'DONE=0'], { env: again.env })
    for (const [format, name] of Object.entries(exports)) {
      const args = ['export', '--format', format, '--out', name, first.runFolder]
      const { code, err } = await project.zcl(args)
      expect([code, err]).toEqual([0, ''])
    }
    const { stdout, stderr } = await runPython(program, [], project.folder)
    const last = stdout.trim().split('\n').at(-1) ?? ''
    if (!last.startsWith('{')) throw new Error(stderr)
    seen = JSON.parse(last) as Seen
  }, 240_000)

  const exports = {
    inspect: 'run.eval',
    atif: 'run.atif.json',
    'otlp-json': 'run.otlp.json',
  }

  it('Inspect opens an exported run with its samples, calls and scores', () => {
    expect(seen.opened).toEqual({
      status: 'success',
      task: 'smoke',
      accuracy: 0.5,
      samples: [
        ['hello', 1, 'C', expect.any(Number), 2],
        ['hello', 2, 'I', expect.any(Number), 1],
      ],
    })
  })

  it('Harbor validates exported trajectories', () => {
    expect(seen.trajectories).toEqual({ versions: ['ATIF-v1.8', 'ATIF-v1.8'], calls: [2, 1] })
  })

  it('exported spans are the same after protocol buffers', () => {
    const file = path.join(project.folder, exports['otlp-json'])
    const { resourceSpans } = JSON.parse(readFileSync(file, 'utf8')) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
    }
    const spans = resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    )
    expect(spans.length).toBeGreaterThan(2)
    expect(seen.spans).toEqual(
      spans.map(({ name, traceId, spanId, status, ...time }) => [
        ...[name, traceId, spanId, status?.code ?? 0],
        Number(BigInt(time.endTimeUnixNano) - BigInt(time.startTimeUnixNano)),
      ]),
    )
  })

  it('spans import alike from JSON, protocol buffers and a file of the collector', async () => {
    const attemptsIn = async (file: string) => {
      const { json } = await project.json(['import', 'otlp', '--suite', file, file])
      const attempts = json.attempts as Json[]
      return [attempts.map(({ attemptDir: _folder, ...attempt }) => attempt), json.unmapped]
    }
    const fromJson = await attemptsIn(exports['otlp-json'])
    expect(fromJson[0]).toMatchObject([{ ok: true }, { ok: false }])
    expect(await attemptsIn('run.otlp.pb')).toEqual(fromJson)
    expect(await attemptsIn('collector.pb')).toEqual(fromJson)
  })

  it('a log of Inspect imports with its calls, failures, retries, tokens and score', async () => {
    expect(seen.evaluated.status).toBe('success')
    const { json } = await project.json(['import', 'inspect', seen.evaluated.location])
    expect(json).toMatchObject({ suiteId: 'tally', attempts: [{ ok: true, calls: 4 }] })
    const [{ attemptDir } = { attemptDir: '' }] = json.attempts as { attemptDir: string }[]
    const folder = path.join(project.folder, attemptDir)
    const { json: report } = await project.json(['report', folder])
    expect(report.metrics).toMatchObject({ toolCallsTotal: 4, failuresTotal: 2, retriesTotal: 1 })
    const numbers = { totalTokens: 525, inputTokens: 400, outputTokens: 45, modelCalls: 5 }
    expect(readJson(path.join(folder, 'runner.metrics.json'))).toMatchObject(numbers)
    const [call] = linesOf(path.join(folder, 'tool.calls.jsonl'))
    expect(call).toMatchObject({ op: 'count', io: { outPreview: 'counted one' } })
  })
})
