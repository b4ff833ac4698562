// The frame of the chat page: the rail, the view that the address names, and the question for the token.
import { useEffect, useState } from 'preact/hooks'
import { ErrorBoundary } from '../error-boundary.tsx'
import { hrefTo, useRoute } from '../page/page.ts'
import { ThemeToggle } from '../theme.tsx'
import { forgetToken, hasToken, messageOf, send, useToken } from './api.ts'
import { ConversationView } from './conversation.tsx'
import { MemoryView } from './memory.tsx'
import { StatusView } from './status.tsx'
import { TimersView } from './timers.tsx'

const places = [
  ['', 'Chat'],
  ['memory', 'Memory'],
  ['timers', 'Timers'],
  ['status', 'Status'],
] as const

export function Chat() {
  const route = useRoute()
  const [isKnown, setKnown] = useState(hasToken)
  const place = places.find(([name]) => name === (route[0] ?? '')) ?? places[0]
  const title = isKnown ? place[1] : 'Sign in'
  useEffect(() => {
    document.title = `${title} · zino`
  }, [title])
  const leave = (): void => {
    forgetToken()
    setKnown(false)
  }
  return (
    <div class="dashboard">
      <header class="rail">
        <a class="mark" href={hrefTo()}>
          zino
        </a>
        <nav aria-label="Views">
          <ul>
            {places.map(([name, label]) => (
              <li key={name}>
                <a
                  href={name === '' ? hrefTo() : hrefTo(name)}
                  aria-current={name === place[0] ? 'page' : undefined}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {isKnown ? (
          <button type="button" class="button leave" onClick={leave}>
            Forget token
          </button>
        ) : null}
        <ThemeToggle />
      </header>
      <main id="main" tabIndex={-1}>
        <ErrorBoundary>
          {isKnown ? <View name={place[0]} /> : <SignIn onDone={() => setKnown(true)} />}
        </ErrorBoundary>
      </main>
    </div>
  )
}

function View({ name }: { name: string }) {
  if (name === 'memory') return <MemoryView />
  if (name === 'timers') return <TimersView />
  if (name === 'status') return <StatusView />
  return <ConversationView />
}

function SignIn({ onDone }: { onDone(): void }) {
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState('')
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    useToken(token)
    try {
      await send('/v1/models')
      onDone()
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <form class="sign-in" onSubmit={(event) => void submit(event)}>
      <h1>zino</h1>
      <p class="soft">zino http prints the file that holds the token.</p>
      <label>
        Token
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button strong">
        Open
      </button>
      <p class="bad-ink" role="alert">
        {problem}
      </p>
    </form>
  )
}
