/** The parts of the bar that every page has. */

/** Returns the element with an id, which the page must contain. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E
}

/** Lets the button switch between light and dark; the first click switches away from the system's setting. */
export function switchTheme(): void {
  const root = document.documentElement
  byId('theme').addEventListener('click', () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
  })
}

/** Moves the focus to the search box when `/` is pressed outside of fields. */
export function focusOnSlash(input: HTMLInputElement): void {
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}
