/** How a model provider reports its state to the commands of the gateway. */
package palyra.shared.model;
