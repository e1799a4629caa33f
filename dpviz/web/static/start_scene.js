// The component behind dpviz/web/screens/start.py; export/templates/scene.js, which plays the screen, stands before it.
export default function ({ parentElement, data, setTriggerValue }) {
  startScene(parentElement.querySelector(".dp-scene"), data, (at) =>
    window.dpvizAtOnce(() => setTriggerValue("at", at)));
}
