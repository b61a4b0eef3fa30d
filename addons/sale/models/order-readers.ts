/** The groups that see orders, and what customers and products have of them. */
export const ORDER_READERS = ['sale.group_user', 'sale.group_accountant'] as const
