// What every tool answers: data, or an error with a stable code. It goes to the model, to the
// session and to the screen in this one form.

export type Envelope =
  | { ok: true; data: Readonly<Record<string, unknown>> }
  | { ok: false; error: { code: string; message: string } }

export function success(data: Readonly<Record<string, unknown>>): Envelope {
  return { ok: true, data }
}

export function failure(code: string, message: string): Envelope {
  return { ok: false, error: { code, message } }
}
