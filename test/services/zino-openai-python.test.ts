// OpenAI's Python client against `zino http`. Skipped where the client is not installed.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Sandbox, until } from '../contract/zino/sandbox.ts'
import { delta, fakeOpenAi, streaming } from '../support/fake-openai.ts'
import { hasPython, runPython } from './python.ts'

const program = `
import json, sys
from openai import OpenAI, AuthenticationError
base, token = sys.argv[1:3]
client = OpenAI(base_url=base, api_key=token)
ask = lambda text: {"model": "zino", "messages": [{"role": "user", "content": text}]}
whole = client.chat.completions.create(**ask("hello")).choices[0].message.content
stream = client.chat.completions.create(**ask("again"), stream=True)
streamed = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
try:
    OpenAI(base_url=base, api_key="wrong").models.list()
    refused = False
except AuthenticationError:
    refused = True
endless = client.chat.completions.create(**ask("endless"), stream=True)
for chunk in endless:
    if chunk.choices[0].delta.content:
        endless.close()
        break
print(json.dumps([whole, streamed, refused]))
`

describe.skipIf(!hasPython)("OpenAI's Python client", () => {
  it('completes, streams, reports errors and cancels', async () => {
    const model = await fakeOpenAi(({ body }) => {
      const text = body.messages.at(-1)?.content ?? ''
      if (text !== 'endless') return ['you: ', text]
      return streaming((response) => void response.write(delta('thinking')))
    })
    const box = new Sandbox({ base: model.base, over: { http: { port: 0, token_file: 'token' } } })
    try {
      await box.serve('daemon', 'rtr', 'agr')
      const bridge = box.start(['http', '--config', box.config])
      await until(() => bridge.stdout.includes('listening at '), 30_000)
      const base = `${/listening at (\S+)/.exec(bridge.stdout)?.[1]}v1`
      const token = readFileSync(box.at('token'), 'utf8').trim()
      const { stdout, stderr } = await runPython(program, [base, token])
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toEqual(['you: hello', 'you: again', true])
      await until(() => model.requests.at(-1)?.isAborted === true, 20_000)
    } finally {
      await box.remove()
      await model.close()
    }
  }, 120_000)
})
