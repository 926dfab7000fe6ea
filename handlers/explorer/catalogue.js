// What /v1/encodings and /v1/models say, by the paths that the page's hash names.
import { hashOf } from "./request.js";
import { firstValues, rowsOf } from "./rows.js";

const FIRST_ENCODING = "sinusoidal";
const FIRST_QUANTITY = "similarity";

export function operationOf(encoding, name) {
  return encoding?.operations.find((operation) => operation.name === name);
}

export class Catalogue {
  constructor({ encodings, quantities }, { models }) {
    Object.assign(this, { encodings, quantities, models });
  }

  encoding(name) {
    return this.encodings.find((encoding) => encoding.name === name || encoding.aliases?.includes(name));
  }

  quantity(name) {
    return this.quantities.find((quantity) => quantity.name === name);
  }

  tableOf(name) {
    return operationOf(this.encoding(name), "table");
  }

  // {view, title, encoding, operation} of a path such as "/v1/rope/apply", where there is one.
  find(path) {
    const [, version, first, second] = path.split("/");

    if (version !== "v1") return null;
    if (first === "resolve" && !second) return { view: "config", title: "config.json" };
    if (first === "analysis") {
      const operation = this.quantity(second);
      return operation && { view: "analysis", title: second, operation };
    }
    const encoding = this.encoding(first);
    const operation = operationOf(encoding, second || "table");
    return operation && { view: "tables", title: encoding.name, encoding, operation };
  }

  // Addresses to begin at.
  startOf(view) {
    if (view === "config") return hashOf("/v1/resolve", new Map());
    if (view === "analysis") return this.addressOfQuantity(this.quantity(FIRST_QUANTITY));
    return this.addressOf(this.tableOf(FIRST_ENCODING));
  }

  addressOf(operation) {
    return hashOf(operation.path, firstValues(operation, rowsOf(operation)));
  }

  addressOfQuantity(quantity, wanted = FIRST_ENCODING) {
    const names = quantity.encodings || [];
    const name = names.includes(wanted) ? wanted : names.includes(FIRST_ENCODING) ? FIRST_ENCODING : names[0];
    const values = firstValues(quantity, rowsOf(quantity, operationOf(this.encoding(name), quantity.and_parameters_of)));

    return hashOf(quantity.path, name ? new Map([["encoding", name], ...values]) : values);
  }
}
