/// <reference path="./xpath-package.d.ts" />
import type { XPathFunction } from 'xpath'
import type { Budget, EditNode } from './edit-tree.ts'
import type { ViewPath } from './xpath.ts'
import { countWork, DomNode, toDom } from './xpath-dom.ts'

/** This many parts of an expression are charged as much as one visited node. */
const PARTS_PER_UNIT = 16

/** The first element among the matches, in document order; relative paths begin at the root element. */
export function findFirst({ parsed, parts }: ViewPath, root: EditNode, budget: Budget): EditNode | null {
  const work = countWork(budget, Math.ceil(parts / PARTS_PER_UNIT))
  const functions = (name: string) => (name === 'hasclass' ? hasClass : undefined)
  const found = parsed.evaluateNodeSet({ node: toDom(root, work), functions }).toUnsortedArray()
  let first: DomNode | null = null
  for (const node of found) {
    if (node instanceof DomNode && node.element !== null && (first === null || node.order < first.order)) first = node
  }
  return first?.element ?? null
}

/** `hasclass('a', 'b')`: the element has all of the classes. */
const hasClass: XPathFunction = ({ contextNode }, ...names) =>
  contextNode instanceof DomNode && names.every((name) => contextNode.hasClass(name.stringValue()))
