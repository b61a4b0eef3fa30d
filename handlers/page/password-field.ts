import type { Translate } from '../../kernel/i18n/translate.ts'
import { type Html, html } from '../../kernel/page/html.ts'
import { icon } from '../../kernel/page/icon.ts'

/** An input for a new password, with a strength meter if scripts run. */
export const newPasswordField = (t: Translate, problem?: string, label = t('New password')): Html =>
  html`<div class="field full"><label class="label" for="password">${label}</label><span class="combo lg"><input id="password" name="password" type="password" autocomplete="new-password" minlength="10" maxlength="128" required aria-describedby="password-hint"${problem === undefined ? null : html` aria-invalid="true"`} data-strength><button type="button" class="btn icon ghost" aria-label="${t('Show password')}" aria-pressed="false" data-show="password" hidden>${icon('eye')}</button></span>
<div class="meter" role="meter" aria-label="${t('Password strength')}" aria-valuemin="0" aria-valuemax="4" aria-valuenow="0" data-words="${[t('Weak'), t('Fair'), t('Good'), t('Strong')].join('|')}" hidden><span></span><span></span><span></span><span></span></div>
<span class="hint"><b class="strength"></b> <span id="password-hint">${problem === undefined ? t('At least 10 characters. A few unrelated words are easy to remember and hard to guess.') : t(problem)}</span></span></div>`
