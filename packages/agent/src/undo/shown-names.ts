// Names of files as they are shown, recorded in the session and sent to the model: a name may hold a secret.
import { createRedactor } from '@zee/core/redact'

export function withoutSecrets(
  name: string,
  env: Readonly<Record<string, string | undefined>> = {},
): string {
  return createRedactor({ environment: env }).text(name).text
}
