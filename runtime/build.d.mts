/** Builds what is out of date and returns how many files that were. Safe while another process does the same. */
export function build(): Promise<number>
