/** Adds the style sheet of a chunk to the page. The build puts a call of this behind every `import './view.css'`. */
export function adoptStyles(text: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  document.adoptedStyleSheets.push(sheet)
}
