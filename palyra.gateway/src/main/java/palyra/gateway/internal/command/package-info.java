/** The commands about models, profiles and budgets, found by the shell as services. */
package palyra.gateway.internal.command;
