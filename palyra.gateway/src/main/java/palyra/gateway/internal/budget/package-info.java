/**
 * What an attempt of a turn may cost, what is set aside for it, and what was spent. The engine
 * reserves by it before a model is asked; commands and metrics show it.
 */
package palyra.gateway.internal.budget;
