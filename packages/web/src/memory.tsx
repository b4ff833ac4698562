// The page of one memory of zino: its text and where it comes from.
import type { MemoryPage } from './data/data.ts'
import { Panel, TextBox } from './widgets/widgets.tsx'

export function MemoryView({ page }: { page: MemoryPage }) {
  return (
    <>
      <div class="head">
        <h1>Memory {page.id}</h1>
      </div>
      <p class="facts">
        {page.facts.map(({ name, value }) => (
          <span key={name}>
            {name} {value}
          </span>
        ))}
      </p>
      <Panel title="Text">
        <div class="body">
          {page.messages.map(({ role, text }, index) => (
            <TextBox key={index} label={role} content={{ text }} />
          ))}
        </div>
      </Panel>
    </>
  )
}
