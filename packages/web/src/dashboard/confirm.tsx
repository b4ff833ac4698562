// Actions that change something: the server asks a question, and only a yes acts. The dialog belongs to the
// dashboard and not to the button: a button disappears with the call that waits, or with zino.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ActionAnswer } from '../data/data.ts'
import { act } from './api.ts'

interface ActionProps {
  action: string
  id: string
  label: string
}

/** Set while the dashboard is open. */
let begin: (request: ActionProps) => void = () => {}

export function ActionButton(props: ActionProps) {
  return (
    <button type="button" class="button" onClick={() => begin(props)}>
      {props.label}
    </button>
  )
}

export function ActionDialog() {
  const [shown, show] = useState<{ label: string; answer: ActionAnswer }>()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    begin = ({ label, action, id }) =>
      void act({ action, id }).then((answer) => show({ label, answer }))
  }, [])
  useEffect(() => {
    if (shown !== undefined && dialog.current?.open === false) dialog.current.showModal()
  }, [shown])
  if (shown === undefined) return null
  const { label, answer } = shown
  const confirm = async (): Promise<void> =>
    show({ label, answer: await act({ confirm: answer.confirm ?? '' }) })
  return (
    <dialog ref={dialog} aria-label={label} onClose={() => show(undefined)}>
      <p>{answer.question ?? answer.result ?? answer.problem}</p>
      <form method="dialog" class="choices">
        {answer.question === undefined ? (
          <button class="button">Close</button>
        ) : (
          <>
            <button class="button">No</button>
            <button type="button" class="button strong" onClick={() => void confirm()}>
              Yes
            </button>
          </>
        )}
      </form>
    </dialog>
  )
}
