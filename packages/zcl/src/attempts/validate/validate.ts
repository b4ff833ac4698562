// The exit code of a validation, shared by the commands that validate.
import type { Validation } from '@zee/evidence/validate'

/** Exit 1 when something could not be read, 2 for other errors. */
export function validationExitCode({ errors }: Validation): 0 | 1 | 2 {
  if (errors.length === 0) return 0
  return errors.some(({ code }) => code === 'ZCL_E_IO') ? 1 : 2
}
