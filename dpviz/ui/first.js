if (/\/(start)?$/.test(location.pathname) && !location.search) document.documentElement.dataset.dpvizStart = "";
