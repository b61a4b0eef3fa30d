/** Comfort for pages without the client: sign-in, set-up, account. Everything works without it. */

import { strengthOf } from './password-strength.ts'

const root = document.documentElement

const stored = localStorage.getItem('modulus.theme')
if (stored === 'light' || stored === 'dark') root.dataset['theme'] = stored

// A page that the client also has is only for browsers without scripts.
const client = document.querySelector<HTMLElement>('[data-client]')?.dataset['client']
if (client) location.replace(client)

for (const button of all<HTMLButtonElement>('[data-toggle-theme]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const isDark = root.dataset['theme']
      ? root.dataset['theme'] === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset['theme'] = isDark ? 'light' : 'dark'
    localStorage.setItem('modulus.theme', root.dataset['theme'])
  })
}

for (const button of all<HTMLButtonElement>('[data-show]')) {
  const input = document.getElementById(button.dataset['show'] ?? '')
  if (!(input instanceof HTMLInputElement)) continue
  button.hidden = false
  button.addEventListener('click', () => {
    const isShown = input.type === 'text'
    input.type = isShown ? 'password' : 'text'
    button.setAttribute('aria-pressed', String(!isShown))
  })
}

for (const input of all<HTMLInputElement>('[data-strength]')) {
  const field = input.closest('.field')
  const meter = field?.querySelector<HTMLElement>('.meter')
  const mark = field?.querySelector<HTMLElement>('.strength')
  if (!meter || !mark) continue
  const words = meter.dataset['words']?.split('|') ?? []
  meter.hidden = false
  input.addEventListener('input', () => {
    const strength = strengthOf(input.value, ownNames(input.form))
    const word = words[strength - 1] ?? ''
    meter.setAttribute('aria-valuenow', String(strength))
    meter.setAttribute('aria-valuetext', word)
    mark.textContent = word && `${word}.`
    mark.classList.toggle('on', strength > 2)
    for (const [i, bar] of [...meter.children].entries()) bar.classList.toggle('on', i < strength)
  })
}

for (const form of all<HTMLFormElement>('form[data-setup]')) {
  startWizard(form)
  followNeeds(form)
}

if (document.querySelector('[data-retry]'))
  setInterval(async () => {
    const answer = await fetch('/api/ready').catch(() => null)
    if (answer?.ok) location.reload()
  }, 3_000)

/** Other values typed into the form, which attackers guess first. */
function ownNames(form: HTMLFormElement | null): readonly string[] {
  return ['company', 'name', 'login'].flatMap((name) => {
    const field = form?.elements.namedItem(name)
    return field instanceof HTMLInputElement ? [field.value] : []
  })
}

function all<E extends Element>(selector: string): Iterable<E> {
  return document.querySelectorAll<E>(selector)
}

/** Shows the form of the set-up in steps, and the progress of the installation after it is sent. */
function startWizard(form: HTMLFormElement): void {
  const steps = [...form.querySelectorAll<HTMLFieldSetElement>('[data-step]')]
  const back = form.querySelector<HTMLButtonElement>('[data-back]')
  const next = form.querySelector<HTMLButtonElement>('[data-next]')
  const submit = form.querySelector<HTMLButtonElement>('[type=submit]')
  const bars = form.querySelector<HTMLElement>('[data-steps]')
  const text = form.querySelector<HTMLElement>('[data-step-text]')
  if (!back || !next || !submit || !bars || !text) return
  const firstWrong = steps.findIndex((step) => step.querySelector('[aria-invalid=true]'))
  let current = Math.max(0, firstWrong)

  form.classList.add('stepped')
  bars.hidden = false
  bars.append(...steps.map(() => document.createElement('span')))
  const show = () => {
    for (const [i, step] of steps.entries()) step.hidden = i !== current
    for (const [i, bar] of [...bars.children].entries()) bar.classList.toggle('on', i <= current)
    const label = (text.dataset['stepText'] ?? '')
      .replace('{n}', String(current + 1))
      .replace('{total}', String(steps.length))
    text.textContent = label
    bars.setAttribute('aria-label', label)
    back.hidden = current === 0
    next.hidden = current === steps.length - 1
    submit.hidden = current !== steps.length - 1
    const controls = steps[current]?.querySelectorAll<HTMLElement>('input, select') ?? []
    const wrong = [...controls].find((control) => control.ariaInvalid === 'true')
    ;(wrong ?? controls[0])?.focus()
  }
  // The keys of the browser walk through the steps: leaving the page would lose what is typed.
  history.replaceState({ step: current }, '')
  const goTo = (step: number) => {
    current = step
    history.pushState({ step }, '')
    show()
  }
  addEventListener('popstate', ({ state }) => {
    current = Number(state?.step ?? 0)
    show()
  })
  // Its own messages stand below the fields; those of browsers hide them.
  form.noValidate = true
  const isStepValid = () => {
    const inputs = [...(steps[current]?.querySelectorAll<HTMLInputElement>('input') ?? [])]
    const wrong = inputs.filter((input) => !checkInput(input, form))
    wrong[0]?.focus()
    return wrong.length === 0
  }
  next.addEventListener('click', async () => {
    // A second click must not skip a step.
    if (next.ariaDisabled === 'true' || !isStepValid()) return
    next.ariaDisabled = 'true'
    const password = steps[current]?.querySelector<HTMLInputElement>('[data-strength]')
    const isTaken = !password || showProblem(password, form, await refusalOf(form))
    next.ariaDisabled = null
    if (!isTaken) return password.focus()
    goTo(current + 1)
  })
  back.addEventListener('click', () => goTo(current - 1))
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || next.hidden || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    next.click()
  })
  form.addEventListener('submit', (event) => {
    // Sending the form again would abort the first answer.
    if (submit.ariaDisabled === 'true' || !isStepValid()) event.preventDefault()
    else followProgress(form, submit)
  })
  const zone = form.elements.namedItem('timezone')
  if (zone instanceof HTMLSelectElement && zone.value === 'UTC')
    zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone
  show()
}

/** Why the service would refuse the password; asks the server, since the page has no list of common passwords. */
async function refusalOf(form: HTMLFormElement): Promise<string> {
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  body.set('check', '1')
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'application/json' } }).catch(
    () => null,
  )
  if (answer?.status !== 422) return ''
  const { error } = (await answer.json()) as { error: { details?: { fields?: { password?: string } } } }
  return error.details?.fields?.password ?? ''
}

function checkInput(input: HTMLInputElement, form: HTMLFormElement): boolean {
  const { missing = '', short = '' } = form.dataset
  const problem =
    input.validity.valueMissing || (input.required && input.value.trim() === '')
      ? missing
      : input.validity.tooShort || isShort(input)
        ? short
        : ''
  return showProblem(input, form, problem)
}

/** Shows the problem of a field below it until it is corrected; returns whether there is none. */
function showProblem(input: HTMLInputElement, form: HTMLFormElement, problem: string): boolean {
  const field = input.closest<HTMLElement>('.field')
  const id = `${input.id}-problem`
  document.getElementById(id)?.remove()
  input.ariaInvalid = problem === '' ? null : 'true'
  const others = (input.getAttribute('aria-describedby') ?? '').split(' ').filter((each) => each !== '' && each !== id)
  const described = problem === '' ? others : [id, ...others]
  if (described.length > 0) input.setAttribute('aria-describedby', described.join(' '))
  else input.removeAttribute('aria-describedby')
  if (problem === '' || !field) return problem === ''
  const note = Object.assign(document.createElement('span'), { id, className: 'err', textContent: problem })
  field.append(note)
  input.addEventListener('input', () => checkInput(input, form), { once: true })
  return false
}

/** A value that a script or the browser filled in is not reported as too short. */
const isShort = ({ value, minLength }: HTMLInputElement): boolean => minLength > 0 && value.length < minLength

/** Selects an app that others need together with them, and shows which those are. */
function followNeeds(form: HTMLFormElement): void {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name=modules]')]
  const needsOf = (box: HTMLInputElement) => (box.dataset['needs'] ?? '').split(' ')
  const follow = () => {
    for (const box of boxes) {
      const needing = boxes.filter((other) => other.checked && needsOf(other).includes(box.value))
      if (needing.length > 0) box.checked = true
      box.ariaDisabled = needing.length > 0 ? 'true' : null
      const note = box.closest('label')?.querySelector<HTMLElement>('[data-needed]')
      if (!note) continue
      note.hidden = needing.length === 0
      const names = needing.map((other) => other.dataset['title']).join(', ')
      note.textContent = (note.dataset['needed'] ?? '').replace('{apps}', names)
    }
  }
  // An app that others need cannot be deselected.
  form.addEventListener('click', (event) => {
    if (boxes.some((box) => box === event.target && box.ariaDisabled === 'true')) event.preventDefault()
  })
  form.addEventListener('change', follow)
  follow()
}

function followProgress(form: HTMLFormElement, submit: HTMLButtonElement): void {
  const status = form.querySelector<HTMLElement>('[data-progress]')
  const bar = status?.querySelector('progress')
  const text = status?.querySelector('span')
  if (!status || !bar || !text) return
  submit.setAttribute('aria-disabled', 'true')
  status.hidden = false
  bar.removeAttribute('value')
  const ask = async () => {
    const answer = await fetch('/setup/progress', { headers: { accept: 'application/json' } }).catch(() => null)
    if (!answer?.ok) {
      text.textContent = status.dataset['finishing'] ?? ''
      return
    }
    const { progress } = (await answer.json()) as { progress: { module: string; done: number; total: number } | null }
    if (progress) {
      bar.max = progress.total
      bar.value = progress.done
      text.textContent = (status.dataset['installing'] ?? '').replace('{module}', progress.module)
    }
    setTimeout(() => void ask(), 400)
  }
  void ask()
}
