/** For commands that change modules: a process knows the code that it was started with, and says so when that is other code. */
export const RESTART_HINT = 'Restart the services that were started with other code.'
