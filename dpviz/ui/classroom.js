// The component behind dpviz/ui/classroom/access.py: keeps the token by which this browser comes back to its place.
export default function ({ data }) {
  const path = new URL("./", location.href).pathname;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.cookie}; Path=${path}; Max-Age=${data.age}; SameSite=Strict${secure}`;
}
