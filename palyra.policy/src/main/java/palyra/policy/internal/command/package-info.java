/** The commands about policies. */
package palyra.policy.internal.command;
