/**
 * What operators configure about models: profiles, prompts, prices and budgets, each a component
 * that lives as long as its file. The engine, the budgets and the commands take one picture of it
 * all.
 */
package palyra.gateway.internal.settings;
