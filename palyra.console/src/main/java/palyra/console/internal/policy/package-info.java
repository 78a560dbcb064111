/** Policies: what is in force, an editor, plans, history. */
package palyra.console.internal.policy;
