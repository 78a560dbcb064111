/** The policy engine as a component. */
package palyra.policy.internal;
