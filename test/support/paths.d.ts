export declare const repository: string
export declare const childrenFolder: string
/** A child program of a package's tests, bundled and ready for `node`. */
export declare function childProgram(packageName: string, name: string): string
/** One of the four programs as `npm ci` installs it. */
export declare function builtProgram(name: 'zdx' | 'zeno' | 'zino' | 'zcl'): string
