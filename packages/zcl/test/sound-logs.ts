// A small sound log of every program whose logs `zcl import` and `zcl enrich` read. Tests damage copies.
const time = '2026-02-15T18:00:12.000Z'
const session = '0199c0de-0000-4000-8000-000000000001'

/** Files by their path in the project. */
export function soundLogs(): Map<string, string> {
  const files = new Map<string, string>()
  for (const [name, lines] of Object.entries(streams)) {
    files.set(`logs/${name}`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  for (const [name, value] of Object.entries(documents)) {
    files.set(`logs/${name}`, `${JSON.stringify(value)}\n`)
  }
  return files
}

const codexItem = (payload: object) => ({ type: 'response_item', timestamp: time, payload })
const codexEvent = (payload: object) => ({ type: 'event_msg', timestamp: time, payload })
const piEntry = (id: string, parentId: string | null, message: object) => ({
  ...{ type: 'message', id, parentId, timestamp: time, message },
})
const geminiResult = { functionResponse: { id: 'c1', name: 'count', response: { output: '1' } } }
const claudeUsage = { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 3 }

const streams: Readonly<Record<string, readonly object[]>> = {
  'codex/rollout-1.jsonl': [
    { type: 'session_meta', timestamp: time, payload: { id: session, model_provider: 'openai' } },
    { type: 'turn_context', timestamp: time, payload: { turn_id: '1', model: 'gpt-5' } },
    codexEvent({ type: 'user_message', message: 'p' }),
    codexItem({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'p' }] }),
    codexItem({ type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{"c":"ls"}' }),
    codexItem({ type: 'function_call_output', call_id: 'c1', output: '{"output":"x"}' }),
    codexEvent({ type: 'agent_message', message: 'done' }),
    codexEvent({
      type: 'token_count',
      info: { total_token_usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } },
    }),
  ],
  'claude/s1.jsonl': [
    { type: 'user', timestamp: time, sessionId: 's1', message: { content: 'List.' } },
    {
      ...{ type: 'assistant', timestamp: time, sessionId: 's1', requestId: 'r1' },
      message: {
        ...{ id: 'm1', model: 'claude-x', usage: claudeUsage },
        content: [
          { type: 'thinking', thinking: 'I list.' },
          { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } },
        ],
      },
    },
    {
      ...{ type: 'user', timestamp: time, toolUseResult: { stdout: 'x' } },
      message: {
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'Exit code 2', is_error: true },
        ],
      },
    },
  ],
  'gemini/session-1.jsonl': [
    { sessionId: session, projectHash: 'x', startTime: time, kind: 'main' },
    { id: 'u1', type: 'user', timestamp: time, content: [{ text: 'Count.' }] },
    {
      ...{ id: 'g1', type: 'gemini', timestamp: time, content: '', model: 'gemini-3-pro' },
      thoughts: [{ subject: 's', description: 'd' }],
      toolCalls: [{ id: 'c1', name: 'count', args: {}, result: [geminiResult], status: 'success' }],
      tokens: { input: 40, output: 5, cached: 8, thoughts: 2, tool: 0, total: 47 },
    },
    { id: 'u2', type: 'user', timestamp: time, content: [geminiResult] },
    { $set: { lastUpdated: 'x' } },
  ],
  'pi/session.jsonl': [
    { type: 'session', version: 3, id: session, timestamp: time, cwd: '/x' },
    piEntry('a', null, { role: 'user', content: 'hi' }),
    piEntry('b', 'a', {
      ...{ role: 'assistant', provider: 'anthropic', model: 'claude', stopReason: 'stop' },
      content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } }],
      usage: { input: 10, output: 1, cacheRead: 2, cacheWrite: 0, totalTokens: 13 },
    }),
    piEntry('c', 'b', {
      ...{ role: 'toolResult', toolCallId: 'c1', toolName: 'bash', isError: false },
      content: [{ type: 'text', text: 'x' }],
    }),
  ],
  'zdx/session.jsonl': [
    { type: 'meta', schema_version: 1 },
    { type: 'message', role: 'user', text: 'go' },
    {
      ...{ type: 'tool_use', id: 'a', name: 'bash', input: {}, provider: 'anthropic', model: 'm' },
      usage: { input_tokens: 10, output_tokens: 2, cached_input_tokens: 4, thinking_tokens: 1 },
    },
    { type: 'tool_result', tool_use_id: 'a', output: {}, ok: true },
  ],
  'qwen/session.jsonl': [
    { uuid: '1', type: 'user', sessionId: session, message: { parts: [{ text: 'hi' }] } },
    {
      ...{ uuid: '2', type: 'assistant', model: 'qwen3-coder', sessionId: session },
      message: { parts: [{ functionCall: {} }, { text: 'x' }] },
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 },
    },
  ],
  'copilot/events.jsonl': [
    { type: 'session.start', data: { sessionId: session } },
    { type: 'user.message', data: { content: 'hi' } },
    { type: 'tool.execution_start', data: {} },
    {
      type: 'session.usage_record',
      data: { usage: { model: 'gpt-5', inputTokens: 10, outputTokens: 2, cacheReadTokens: 1 } },
    },
  ],
}

const attributes = (values: Record<string, string | number>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
const span = (name: string, parentSpanId: string, values: Record<string, string | number>) => ({
  ...{ traceId: 't1', spanId: name, parentSpanId, name, attributes: attributes(values) },
  ...{ startTimeUnixNano: '1775037600000000000', endTimeUnixNano: '1775037601000000000' },
})
const spans = [
  span('agent', '', { 'gen_ai.operation.name': 'invoke_agent' }),
  span('chat', 'agent', {
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' },
    ...{ 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 3 },
    'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"hi"}]}]',
  }),
  span('tool', 'agent', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ls' }),
]
const trajectory = {
  ...{ schema_version: 'ATIF-v1.8', session_id: session, agent: { name: 'codex', version: '1' } },
  steps: [
    { step_id: 1, source: 'user', message: 'Fix it.' },
    {
      ...{ step_id: 2, source: 'agent', message: 'I look.', reasoning_content: 'Where?' },
      tool_calls: [{ tool_call_id: 'a', function_name: 'bash', arguments: { command: 'ls' } }],
      observation: { results: [{ source_call_id: 'a', content: 'x.py' }] },
      metrics: { prompt_tokens: 5, completion_tokens: 2 },
    },
  ],
}

const documents: Readonly<Record<string, unknown>> = {
  'opencode/export.json': {
    info: { id: 'ses_1', directory: '/work' },
    messages: [
      {
        info: { id: 'm1', role: 'user', time: { created: 1794833384469 } },
        parts: [{ type: 'text', text: 'Count.' }],
      },
      {
        info: {
          ...{ id: 'm2', role: 'assistant', modelID: 'gpt', providerID: 'openai' },
          time: { created: 1794833388325 },
          tokens: { input: 80, output: 5, reasoning: 4, cache: { read: 16, write: 0 } },
        },
        parts: [
          {
            ...{ type: 'tool', callID: 'c1', tool: 'bash' },
            state: { status: 'completed', input: {}, output: 'no', metadata: { exit: 22 } },
          },
        ],
      },
    ],
  },
  'inspect.json': {
    ...{ version: 2, status: 'success' },
    eval: { task: 'pkg/sums', created: time, model: 'openai/gpt' },
    samples: [
      {
        ...{ id: 'One', epoch: 1, input: 'What is 1 + 1?', started_at: time, completed_at: time },
        messages: [
          { role: 'user', content: 'What is 1 + 1?' },
          {
            ...{ role: 'assistant', content: [{ type: 'text', text: 'I add.' }] },
            tool_calls: [{ id: 'c1', function: 'add', arguments: { x: 1, y: 1 } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: '2' },
        ],
        events: [{ event: 'tool', id: 'c1', timestamp: time, completed: time }],
        scores: { match: { value: 'C', answer: '2' } },
        model_usage: { 'openai/gpt': { input_tokens: 10, output_tokens: 5, total_tokens: 15 } },
      },
    ],
  },
  'atif.json': trajectory,
  'otlp.json': { resourceSpans: [{ scopeSpans: [{ spans }] }] },
  'promptfoo.json': {
    config: {},
    results: {
      ...{ version: 3, timestamp: time },
      results: [
        {
          ...{ testCase: { description: 'greets' }, provider: { id: 'openai:gpt-x' } },
          prompt: { raw: 'Say hello' },
          response: { output: 'hello', tokenUsage: { prompt: 3, completion: 2, total: 5 } },
          ...{ success: true, score: 1, gradingResult: { pass: true, reason: 'because' } },
        },
      ],
    },
  },
  'harbor/result.json': { stats: {} },
  'harbor/fix-it__1/result.json': {
    ...{ task_name: 'fix-it', trial_name: 'fix-it__1', started_at: time },
    agent_info: { name: 'codex', model_info: { name: 'gpt' } },
    verifier_result: { rewards: { reward: 1 } },
    agent_result: { n_input_tokens: 10, n_cache_tokens: 4, n_output_tokens: 2 },
  },
  'harbor/fix-it__1/agent/trajectory.json': trajectory,
}
