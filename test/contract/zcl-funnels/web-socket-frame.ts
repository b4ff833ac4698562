// Encodes a WebSocket text message as one frame, masked for a client.

export function frame(text: string, isMasked = false): Buffer {
  const payload = Buffer.from(text)
  const head = Buffer.from([
    0x81,
    (isMasked ? 0x80 : 0) | 126,
    payload.length >> 8,
    payload.length & 255,
  ])
  if (!isMasked) return Buffer.concat([head, payload])
  const mask = Buffer.from([1, 2, 3, 4])
  return Buffer.concat([
    head,
    mask,
    Buffer.from(payload.map((byte, at) => byte ^ (mask[at & 3] ?? 0))),
  ])
}
