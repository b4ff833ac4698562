// A button for an action that changes something: the server asks a question, and only a yes acts.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ActionAnswer } from '../data/data.ts'
import { act } from './api.ts'

export function ActionButton(props: { action: string; id: string; label: string }) {
  const [answer, setAnswer] = useState<ActionAnswer>()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (answer !== undefined && dialog.current?.open === false) dialog.current.showModal()
  }, [answer])
  const start = async (): Promise<void> =>
    setAnswer(await act({ action: props.action, id: props.id }))
  const confirm = async (): Promise<void> =>
    setAnswer(await act({ confirm: answer?.confirm ?? '' }))
  return (
    <>
      <button type="button" class="button" onClick={() => void start()}>
        {props.label}
      </button>
      {answer === undefined ? null : (
        <dialog ref={dialog} aria-label={props.label} onClose={() => setAnswer(undefined)}>
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
      )}
    </>
  )
}
