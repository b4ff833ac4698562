// The conversation of one channel: its history, a streamed answer that can be stopped, and tool calls that
// wait for approval.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Approvals } from './approvals.tsx'
import { getJson, messageOf } from './api.ts'
import { AnswerText } from './answer-text.tsx'
import { streamAnswer } from './stream.ts'

interface Message {
  role: string
  content: string
  ts?: string
}

const defaultChannel = 'web'
const shownMessages = 200

export function ConversationView() {
  const [channel, setChannel] = useState(defaultChannel)
  const [channels, setChannels] = useState<string[]>([])
  const [messages, setMessages] = useState<Message[]>([])
  const [problem, setProblem] = useState('')
  const [abort, setAbort] = useState<AbortController>()
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isCurrent = true
    setMessages([])
    historyOf(channel)
      .then((stored) => {
        // What was said while the history was loading follows it.
        if (isCurrent) setMessages((said) => [...stored, ...said])
      })
      .catch((error: unknown) => setProblem(messageOf(error)))
    getJson<{ data: { channel_id?: string }[] }>('/v1/channels')
      .then(({ data }) => setChannels(data.flatMap(({ channel_id: id }) => id ?? [])))
      .catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [channel])
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [messages])

  const ask = async (text: string): Promise<void> => {
    const controller = new AbortController()
    setProblem('')
    setAbort(controller)
    const answer: Message = { role: 'assistant', content: '' }
    setMessages((before) => [...before, { role: 'user', content: text }, answer])
    try {
      await streamAnswer(text, channel, controller.signal, (piece) => {
        answer.content += piece
        setMessages((before) => [...before.slice(0, -1), { ...answer }])
      })
    } catch (error) {
      setProblem(controller.signal.aborted ? 'stopped' : messageOf(error))
    } finally {
      setAbort(undefined)
    }
  }

  return (
    <div class="chat">
      <div class="list-head">
        <h1>Chat</h1>
        <ChannelField channel={channel} isDisabled={abort !== undefined} onChange={setChannel} />
        <datalist id="channels">
          {channels.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <ol class="messages" aria-label="Messages">
        {messages.map((message, index) => (
          <li key={index} class={message.role}>
            <span class="small quiet">{message.role === 'user' ? 'you' : message.role}</span>
            <AnswerText text={message.content} />
          </li>
        ))}
      </ol>
      <Approvals />
      <p class="warn-ink" role="status">
        {problem}
      </p>
      <div ref={end} />
      <Composer isBusy={abort !== undefined} onSend={ask} onStop={() => abort?.abort()} />
    </div>
  )
}

async function historyOf(channel: string): Promise<Message[]> {
  const path = `/v1/channels/${encodeURIComponent(channel)}?limit=${shownMessages}`
  return (await getJson<{ messages: Message[] }>(path)).messages
}

/** Keeps what is typed while other parts of the page load and draw it again. */
function ChannelField(props: {
  channel: string
  isDisabled: boolean
  onChange(channel: string): void
}) {
  const [typed, setTyped] = useState(props.channel)
  const choose = (name: string): void => {
    const channel = name.trim() || defaultChannel
    setTyped(channel)
    props.onChange(channel)
  }
  return (
    <label class="channel">
      Channel
      <input
        list="channels"
        value={typed}
        disabled={props.isDisabled}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </label>
  )
}

function Composer(props: { isBusy: boolean; onSend(text: string): Promise<void>; onStop(): void }) {
  const [text, setText] = useState('')
  const submit = (): void => {
    if (text.trim() === '' || props.isBusy) return
    setText('')
    void props.onSend(text)
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        aria-label="Message"
        placeholder="Write a message; Enter sends, Shift+Enter adds a line"
        rows={3}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          submit()
        }}
      />
      {props.isBusy ? (
        <button type="button" class="button strong" onClick={props.onStop}>
          Stop
        </button>
      ) : (
        <button type="submit" class="button strong">
          Send
        </button>
      )}
    </form>
  )
}
