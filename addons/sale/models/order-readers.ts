/** The groups that see orders, and figures about orders on customers and products. */
export const ORDER_READERS = ['sale.group_user', 'sale.group_accountant'] as const
