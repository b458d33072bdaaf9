//! A graph that grows node by node.

use std::collections::{HashMap, HashSet};

use super::proto::attribute_proto::AttributeType;
use super::proto::tensor_proto::DataType;
use super::proto::tensor_shape_proto::{Dimension, dimension};
use super::proto::{
    AttributeProto, GraphProto, NodeProto, TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};

/// The set of operators that knows texts and levels.
pub(super) const ML_DOMAIN: &str = "ai.onnx.ml";

/// The name of the dimension that runs over the rows.
const BATCH: &str = "batch";

/// What flows between nodes, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value(String);

/// Nodes, constants, inputs and outputs, each with a name of its own.
#[derive(Default)]
pub(super) struct Graph {
    proto: GraphProto,
    taken: HashSet<String>,
    /// The number that a name ended with when it was given last, where it had been taken before.
    last_numbers: HashMap<String, usize>,
    /// The constant for it, once it is asked for.
    second_axis: Option<Value>,
}

impl Graph {
    /// An empty graph in which nothing that nodes make will have one of these names.
    pub(super) fn with_reserved(names: impl IntoIterator<Item = String>) -> Self {
        Self { taken: names.into_iter().collect(), ..Self::default() }
    }

    /// An input with a row for each row, so many values wide. Its name has to be a reserved one, and this its only input.
    pub(super) fn input(&mut self, name: &str, element: DataType, width: usize, doc: &str) -> Value {
        let info = ValueInfoProto { doc_string: doc.to_owned(), ..value_info(name, element, Some(width)) };
        self.proto.input.push(info);
        Value(name.to_owned())
    }

    /// Makes a value an output of the graph under a name that callers ask for, with as many underscores as it
    /// takes to be nobody else's.
    pub(super) fn output(&mut self, value: &Value, name: &str, element: DataType, width: Option<usize>) {
        let mut name = name.to_owned();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        for node in &mut self.proto.node {
            for used in node.input.iter_mut().chain(&mut node.output).filter(|used| **used == value.0) {
                used.clone_from(&name);
            }
        }
        self.proto.output.push(value_info(&name, element, width));
    }

    /// A node without attributes.
    pub(super) fn node(&mut self, operator: &str, inputs: &[&Value], name: &str) -> Value {
        self.node_with(operator, inputs, Vec::new(), name)
    }

    /// A node of ONNX's own operators.
    pub(super) fn node_with(
        &mut self,
        operator: &str,
        inputs: &[&Value],
        attributes: Vec<AttributeProto>,
        name: &str,
    ) -> Value {
        self.nodes(operator, "", inputs, attributes, &[name]).remove(0)
    }

    /// A node of the operators for texts and levels.
    pub(super) fn ml_node(
        &mut self,
        operator: &str,
        inputs: &[&Value],
        attributes: Vec<AttributeProto>,
        name: &str,
    ) -> Value {
        self.nodes(operator, ML_DOMAIN, inputs, attributes, &[name]).remove(0)
    }

    /// The two halves of a value's columns, each so wide.
    pub(super) fn halves(&mut self, value: &Value, width: usize, names: [&str; 2]) -> [Value; 2] {
        let widths = self.integers(&[2], &[width as i64; 2], &format!("{}.width", names[0]));
        let mut halves = self.nodes("Split", "", &[value, &widths], vec![int("axis", 1)], &names);
        let second = halves.remove(1);
        [halves.remove(0), second]
    }

    /// A value without its second dimension, which is 1. Not what `keepdims` of reductions is for, as some runtimes then drop the rows
    /// as well where there is one.
    pub(super) fn squeezed(&mut self, value: &Value, name: &str) -> Value {
        let axis = self.second_axis();
        self.node("Squeeze", &[value, &axis], name)
    }

    /// A value's sum over its second dimension, which is 1 then.
    pub(super) fn total(&mut self, value: &Value, name: &str) -> Value {
        let axis = self.second_axis();
        self.node("ReduceSum", &[value, &axis], name)
    }

    /// The second dimension, for the operators that take it as a value: once for all of them.
    fn second_axis(&mut self) -> Value {
        if let Some(axis) = &self.second_axis {
            return axis.clone();
        }
        let axis = self.integers(&[1], &[1], "second.axis");
        self.second_axis.insert(axis).clone()
    }

    /// Values side by side.
    pub(super) fn concat(&mut self, values: Vec<Value>, name: &str) -> Option<Value> {
        match values.len() {
            0 | 1 => values.into_iter().next(),
            _ => Some(self.node_with("Concat", &values.iter().collect::<Vec<_>>(), vec![int("axis", 1)], name)),
        }
    }

    fn nodes(
        &mut self,
        operator: &str,
        domain: &str,
        inputs: &[&Value],
        attributes: Vec<AttributeProto>,
        names: &[&str],
    ) -> Vec<Value> {
        let outputs: Vec<Value> = names.iter().map(|name| Value(self.free_name(name))).collect();
        self.proto.node.push(NodeProto {
            input: inputs.iter().map(|value| value.0.clone()).collect(),
            output: outputs.iter().map(|value| value.0.clone()).collect(),
            name: outputs[0].0.clone(),
            op_type: operator.to_owned(),
            attribute: attributes,
            domain: domain.to_owned(),
        });
        outputs
    }

    /// A constant of numbers of either precision.
    pub(super) fn numbers(
        &mut self,
        element: DataType,
        dims: &[usize],
        values: impl IntoIterator<Item = f64>,
        name: &str,
    ) -> Value {
        let mut raw = Vec::with_capacity(dims.iter().product::<usize>() * size_of::<f64>());
        for value in values {
            match element {
                DataType::Float => raw.extend((value as f32).to_le_bytes()),
                _ => raw.extend(value.to_le_bytes()),
            }
        }
        self.constant(TensorProto { raw_data: raw, ..tensor(element, dims) }, name)
    }

    /// A constant of whole numbers. No dimensions make it a single one.
    pub(super) fn integers(&mut self, dims: &[usize], values: &[i64], name: &str) -> Value {
        let raw_data = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(TensorProto { raw_data, ..tensor(DataType::Int64, dims) }, name)
    }

    /// A constant of texts.
    pub(super) fn texts(&mut self, values: impl IntoIterator<Item = String>, name: &str) -> Value {
        let string_data: Vec<Vec<u8>> = values.into_iter().map(String::into_bytes).collect();
        self.constant(
            TensorProto { dims: vec![string_data.len() as i64], string_data, ..tensor(DataType::String, &[]) },
            name,
        )
    }

    fn constant(&mut self, tensor: TensorProto, name: &str) -> Value {
        let name = self.free_name(name);
        self.proto.initializer.push(TensorProto { name: name.clone(), ..tensor });
        Value(name)
    }

    /// The graph as it is written.
    pub(super) fn finish(self, name: &str) -> GraphProto {
        GraphProto { name: name.to_owned(), ..self.proto }
    }

    /// The name, with a number where it is somebody else's: `column`, `column_2`, `column_3`.
    fn free_name(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        while !self.taken.insert(free.clone()) {
            let number = self.last_numbers.entry(name.to_owned()).or_insert(1);
            *number += 1;
            free = format!("{name}_{number}");
        }
        free
    }
}

fn value_info(name: &str, element: DataType, width: Option<usize>) -> ValueInfoProto {
    let size = |value| Dimension { value: Some(value) };
    let rows = size(dimension::Value::DimParam(BATCH.to_owned()));
    let dim = std::iter::once(rows).chain(width.map(|width| size(dimension::Value::DimValue(width as i64))));
    let shape = TensorShapeProto { dim: dim.collect() };
    let tensor = type_proto::Tensor { elem_type: element.into(), shape: Some(shape) };
    let value = Some(type_proto::Value::TensorType(tensor));
    ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { value }), doc_string: String::new() }
}

/// A tensor without values and without a name.
pub(super) fn tensor(element: DataType, dims: &[usize]) -> TensorProto {
    let dims = dims.iter().map(|&size| size as i64).collect();
    TensorProto { dims, data_type: element.into(), ..TensorProto::default() }
}

/// An attribute that is a whole number.
pub(super) fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto { i: Some(value), ..attribute(name, AttributeType::Int) }
}

/// An attribute that is a list of whole numbers.
pub(super) fn ints(name: &str, values: Vec<i64>) -> AttributeProto {
    AttributeProto { ints: values, ..attribute(name, AttributeType::Ints) }
}

/// An attribute that is a list of texts.
pub(super) fn strings<'a>(name: &str, values: impl IntoIterator<Item = &'a str>) -> AttributeProto {
    let strings = values.into_iter().map(|text| text.as_bytes().to_vec()).collect();
    AttributeProto { strings, ..attribute(name, AttributeType::Strings) }
}

/// An attribute that is a tensor.
pub(super) fn of_tensor(name: &str, value: TensorProto) -> AttributeProto {
    AttributeProto { t: Some(value), ..attribute(name, AttributeType::Tensor) }
}

fn attribute(name: &str, kind: AttributeType) -> AttributeProto {
    AttributeProto { name: name.to_owned(), r#type: kind.into(), ..AttributeProto::default() }
}
