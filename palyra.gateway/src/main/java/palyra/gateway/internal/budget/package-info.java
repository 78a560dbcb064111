/**
 * Budgets: estimates, reservations and spending of turns. The engine reserves by it before a model
 * is asked; commands and metrics show it.
 */
package palyra.gateway.internal.budget;
