/** The values of Cedar, with the equality, the bounds and the text forms of Cedar 4.10. */
package palyra.policy.internal.cedar.value;
