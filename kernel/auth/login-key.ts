/** Logins that differ only in case or in the encoding of the same letters are one login. */
export const loginKey = (login: string): string => login.normalize('NFKC').toLowerCase()
