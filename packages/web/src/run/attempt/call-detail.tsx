// The details of one call: command, timing, input and output.
import type { AttemptFacts, CallFacts } from '../../data/data.ts'
import { Badge, Empty, Panel, TextBox } from '../../widgets/widgets.tsx'
import { usePageLoaded } from '../../page/page.ts'
import { bytes, duration } from '../../format.ts'
import { loadTexts } from './call-texts.ts'

export function CallDetail({ attempt, index }: { attempt: AttemptFacts; index: number }) {
  usePageLoaded()
  const call = attempt.calls[index]
  const texts = loadTexts(attempt, index)
  if (call === undefined) {
    return (
      <Panel title="Call" class="detail">
        <Empty>Select a call to see its input and output.</Empty>
      </Panel>
    )
  }
  const { outBytes = 0, errBytes = 0, redactions = [] } = call
  return (
    <Panel title={`Call ${call.line}`} class="detail" tools={<Verdict call={call} />}>
      <div class="body" aria-live="polite">
        <TextBox label="Call" content={{ text: call.title }} />
        <dl class="props">
          <dt>tool</dt>
          <dd>
            {call.tool} {call.op}
          </dd>
          <dt>started</dt>
          <dd>{duration(call.at)} after the first call</dd>
          <dt>took</dt>
          <dd>{duration(call.ms)}</dd>
          {call.code === undefined ? null : (
            <>
              <dt>code</dt>
              <dd class="mono">{call.code}</dd>
            </>
          )}
          {redactions.length === 0 ? null : (
            <>
              <dt>redacted</dt>
              <dd>{redactions.join(', ')}</dd>
            </>
          )}
        </dl>
        {texts?.input === undefined ? null : (
          <div>
            <h3>Input</h3>
            <TextBox label="Input" content={{ text: prettyJson(texts.input) }} />
          </div>
        )}
        <Stream name="Output" text={texts?.out} size={outBytes} isShort={call.short === true} />
        <Stream name="Errors" text={texts?.err} size={errBytes} isShort={call.short === true} />
        {call.cut === true ? (
          <p class="small warn-ink">Truncated when recorded: the trace holds only a preview.</p>
        ) : null}
      </div>
    </Panel>
  )
}

function Verdict({ call }: { call: CallFacts }) {
  const exit = call.exit === undefined ? '' : ` (exit ${call.exit})`
  return call.code === undefined ? (
    <Badge tone="good">ok{call.exit === 0 ? '' : exit}</Badge>
  ) : (
    <Badge tone="bad">failed{exit}</Badge>
  )
}

function Stream(props: { name: string; text: string | undefined; size: number; isShort: boolean }) {
  const { name, text, size, isShort } = props
  if (size === 0 && text === undefined) return null
  return (
    <div>
      <h3>
        {name} <span class="quiet">{bytes(size)}</span>
      </h3>
      {text === undefined ? (
        <p class="small quiet">
          {isShort ? 'Not on this page; see the trace.' : 'No preview was recorded.'}
        </p>
      ) : (
        <TextBox label={name} content={{ text }} />
      )}
    </div>
  )
}

function prettyJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
