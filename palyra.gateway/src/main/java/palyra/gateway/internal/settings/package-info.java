/**
 * Checked configuration: the engine's settings, and model profiles, prompts, prices and budgets,
 * each of the latter a component that lives as long as its configuration file.
 */
package palyra.gateway.internal.settings;
