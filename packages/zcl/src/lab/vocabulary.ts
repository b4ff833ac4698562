// Values that the lab's options and files accept. It imports nothing, because the command tree loads it.

export const feedbackPolicies = ['strict', 'auto_fail'] as const
export const finalizationModes = ['strict', 'auto_fail', 'auto_from_result_json'] as const
export const resultChannels = ['none', 'file_json', 'stdout_json'] as const
export const sessionIsolations = ['auto', 'process', 'native'] as const
