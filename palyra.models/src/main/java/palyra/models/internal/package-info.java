/** The deterministic model: no network, no keys, the same answer every time. */
package palyra.models.internal;
