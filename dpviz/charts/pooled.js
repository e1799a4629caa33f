// JSON in which each part that comes several times stands once, in a pool: what is there instead is {"$": its place}.
// `part` is one value as it stands, its own parts still in the pool; `full` has all of them.
const unpooled = ({ pool, content }) => {
  const part = (value) => (value !== null && typeof value === "object" && "$" in value ? pool[value.$] : value);
  const full = (value) => {
    if (Array.isArray(value)) return value.map(full);
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return full(part(value));
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, full(inner)]));
  };
  return { content, part, full };
};
