import { describe, expect, it } from 'vitest'
import { resultEnvelope } from './call-result.ts'

describe('the envelope of a server result', () => {
  it('contains the text of each content item', () => {
    const content = [
      { type: 'text' as const, text: 'a' },
      { type: 'audio' as const, data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource' as const, resource: { uri: 'x://b', blob: 'AAAAAAA=' } },
    ]
    expect(resultEnvelope({ content })).toEqual({
      ok: true,
      data: { text: 'a\n[audio audio/wav, 3 bytes]\n[x://b, 5 bytes]' },
    })
  })

  it('contains the structured content if there is no text', () => {
    const structuredContent = { sum: [1, null] }
    expect(resultEnvelope({ content: [], structuredContent })).toEqual({
      ok: true,
      data: { result: structuredContent },
    })
    expect(resultEnvelope({ content: [] })).toEqual({ ok: true, data: { text: '' } })
  })

  it('is an error if the result is an error', () => {
    expect(resultEnvelope({ content: [], isError: true })).toEqual({
      ok: false,
      error: { code: 'mcp_tool_error', message: 'The tool failed' },
    })
  })
})
