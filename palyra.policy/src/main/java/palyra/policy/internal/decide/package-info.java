/** Policy requests to policies, what they answer, and the second engine's word on it. */
package palyra.policy.internal.decide;
