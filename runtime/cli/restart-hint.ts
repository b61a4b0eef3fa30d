/** For commands that change modules: a running process keeps the code it was started with, and logs it if the modules in the database have other code. */
export const RESTART_HINT = 'Restart the services that were started with other code.'
