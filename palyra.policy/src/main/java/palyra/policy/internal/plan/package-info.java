/** What a policy set would have said to the calls that were really decided. */
package palyra.policy.internal.plan;
